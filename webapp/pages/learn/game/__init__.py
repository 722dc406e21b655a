"""The lessons on the game itself: its openings, patterns, trees and boards."""
