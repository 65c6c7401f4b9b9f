"""What relation words mean under each rule set, judged from pixels."""
