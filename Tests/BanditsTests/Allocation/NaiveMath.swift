import Foundation

func naturalExponential(_ x: Double) -> Double { exp(x) }
func naturalLogarithm(_ x: Double) -> Double { log(x) }
func power(_ x: Double, _ exponent: Int) -> Double { pow(x, Double(exponent)) }
