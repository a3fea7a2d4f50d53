"""The lines of the files that are imported, as generators of text: the same arguments give the same lines.

Native events, rows of tables, calls of Segment and lines of a Decision Service. An id is none, a number that counts, or
random: 32 hexadecimal digits, which no compression and no order helps.
"""

import random
import re

SEED = 1
# How many units a file has where these are few; where they are many, every second event has one of its own.
FEW = 1000
START = 1_767_607_200
COUNTRIES, DEVICES = ["DE", "FR", "IT", "ES", "PL", "US"], ["phone", "tablet", "desktop"]
WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]


def time_text(number):
    """The time of an event: one each millisecond."""
    seconds = number // 1000
    return (f"2026-01-{5 + seconds // 86_400:02}T{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
            f".{number % 1000:03}Z")


def new_ids(kind, rng):
    """A function from the number of an event to the start of its line's members: `"id":"...",` or nothing."""
    if kind == "sequential":
        return lambda number: f'"id":"e-{number:09}",'
    if kind == "random":
        return lambda number: f'"id":"{rng.getrandbits(128):032x}",'
    return lambda number: ""


def goals(events, units, ids):
    """Native goals of about 130 bytes."""
    rng = random.Random(SEED)
    new_id = new_ids(ids, rng)
    for number in range(events):
        yield (f'{{"type":"goal",{new_id(number)}"time":"{time_text(number)}","unit":"user-{rng.randrange(units)}",'
               f'"experiment":"checkout","goal":"purchase","value":{rng.randrange(1000) / 100}}}\n')


def goals_of_new_units(events):
    """Native goals of which each has a unit that no other has, named by random digits."""
    rng = random.Random(SEED)
    for number in range(events):
        yield (f'{{"type":"goal","time":"{time_text(number)}","unit":"{rng.getrandbits(128):032x}",'
               f'"experiment":"checkout","goal":"purchase","value":{rng.randrange(1000) / 100}}}\n')


def storefront(path, units, ids):
    """The events of the storefront in a file of native lines, of about 270 bytes, with other units and ids."""
    rng = random.Random(SEED)
    new_id = new_ids(ids, rng)
    start = re.compile('("id":"[^"]*",)?("time":"[^"]*","unit":)"[^"]*"')
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            yield start.sub(f'{new_id(number)}\\2"v-{rng.randrange(units)}"', line, count=1)


def attributes(events, units, count=200):
    """Native decisions with so many attributes in their context: a half are numbers, the others words and flags."""
    rng = random.Random(SEED)
    flags = ["true", "false"]
    for number in range(events):
        values = (f"{rng.random():.4f}" if place % 2 else
                  rng.choice(flags) if place % 4 else f'"{rng.choice(WORDS)}"' for place in range(count))
        context = ",".join(f'"attribute_{place}":{value}' for place, value in enumerate(values))
        yield (f'{{"type":"decision","time":"{time_text(number)}","unit":"user-{rng.randrange(units)}",'
               f'"experiment":"checkout","variant":"{rng.choice("AB")}","choices":["A","B"],"propensity":0.5,'
               f'"context":{{{context}}}}}\n')


def assignments(events, units):
    """A table of assignments: five columns."""
    rng = random.Random(SEED)
    yield "row,ts,user,group,country\n"
    for number in range(events):
        yield (f"r{number},{START + number // 1000},u-{rng.randrange(units)},{rng.choice('AB')},"
               f"{rng.choice(COUNTRIES)}\n")


def visits(events, units):
    """A table of visits: twenty columns, of which an import maps six."""
    rng = random.Random(SEED)
    others = ["session", "page", "referrer", "campaign", "browser", "language", "zone", "width", "height", "scroll",
              "duration", "clicks", "score", "member"]
    yield ",".join(["row", "ts", "user", "group", "country", "device", *others]) + "\n"
    for number in range(events):
        yield (f"r{number},{START + number // 1000},u-{rng.randrange(units)},{rng.choice('AB')},"
               f"{rng.choice(COUNTRIES)},{rng.choice(DEVICES)},s-{rng.getrandbits(48):012x},"
               f"/shop/{rng.choice(WORDS)}/{rng.randrange(500)},https://example.com/{rng.choice(WORDS)},"
               f"{rng.choice(WORDS)}-{rng.randrange(40)},\"Browser {rng.randrange(90)}, mobile\",de-DE,Europe/Berlin,"
               f"{rng.randrange(320, 2560)},{rng.randrange(480, 1440)},{rng.random():.3f},{rng.random() * 600:.1f},"
               f"{rng.randrange(30)},{rng.random():.6f},{rng.choice(['true', 'false'])}\n")


def calls(events, units):
    """Calls of Segment: orders, and one in three an `Experiment Viewed`."""
    rng = random.Random(SEED)
    for number in range(events):
        if number % 3:
            event = "Order Completed"
            properties = (f'"order_id":"o-{rng.getrandbits(40):010x}","total":{rng.randrange(20_000) / 100},'
                          f'"currency":"EUR","coupon":"{rng.choice(WORDS)}","items":{rng.randrange(1, 9)}')
        else:
            event = "Experiment Viewed"
            properties = (f'"experiment_id":"exp-{rng.randrange(8)}","experiment_name":"Checkout",'
                          f'"variation_id":"{rng.randrange(2)}","variation_name":"{rng.choice(WORDS)}"')
        time = time_text(number)
        yield (f'{{"type":"track","event":"{event}","messageId":"ajs-{rng.getrandbits(128):032x}",'
               f'"anonymousId":"{rng.getrandbits(64):016x}","userId":"user-{rng.randrange(units)}",'
               f'"timestamp":"{time}","originalTimestamp":"{time}","sentAt":"{time}","receivedAt":"{time}",'
               f'"properties":{{{properties}}},"integrations":{{"All":true}},'
               f'"context":{{"ip":"10.0.{rng.randrange(256)}.{rng.randrange(256)}","locale":"de-DE","active":true,'
               f'"library":{{"name":"analytics.js","version":"4.{rng.randrange(9)}.0"}},'
               f'"page":{{"path":"/{rng.choice(WORDS)}","title":"Shop","url":"https://example.com/"}},'
               f'"userAgent":"Mozilla/5.0 (X11; Linux x86_64) Browser/{rng.randrange(90, 120)}.0"}}}}\n')


def decisions(events):
    """Lines of a Decision Service: four actions with features, a context, and a click on one in five."""
    rng = random.Random(SEED)
    actions = ",".join(
        f'{{"_tag":"article-{action}","i":{{"constant":1,"id":"article-{action}"}},"j":[{{"topic":"{WORDS[action]}",'
        f'"length":{action * 250},"video":"{["no", "yes"][action % 2]}","tone":"{WORDS[action + 4]}"}}]}}'
        for action in range(4))
    for number in range(events):
        event = f"{rng.getrandbits(128):032x}"
        first = rng.randrange(4)
        order = [first, *(action for action in range(4) if action != first)]
        cost = "-1.0" if rng.random() < 0.2 else "-0.0"
        yield (f'{{"_label_cost":{cost},"_label_probability":0.85,"_label_Action":{first + 1},"_labelIndex":{first},'
               f'"o":[{{"v":{cost[1:]},"EventId":"{event}","ActionTaken":false}}],"Timestamp":"{time_text(number)}",'
               f'"Version":"1","EventId":"{event}","a":[{",".join(str(action + 1) for action in order)}],'
               f'"c":{{"User":[{{"daytime":"{rng.choice(WORDS)}","device":"{rng.choice(DEVICES)}",'
               f'"country":"{rng.choice(COUNTRIES)}","visits":{rng.randrange(50)}}}],"_multi":[{actions}]}},'
               f'"p":[0.85,0.05,0.05,0.05],"VWState":{{"m":"model-{number // 10_000}"}},'
               f'"_original_label_cost":{cost}}}\n')
