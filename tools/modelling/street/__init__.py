"""How the street set is modelled: vans, lorries, lamps, signs, trees and people who stand."""
