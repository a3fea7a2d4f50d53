shared |user age:33 pro
|item espresso
0:-2.5:0.25 |item tea
|item mocha

shared |user age:25 free
0:0:0.5 |item espresso
|item tea

