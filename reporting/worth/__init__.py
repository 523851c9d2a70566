"""What bets were worth: appraised by array code, stored beside the bets, told round by round."""
