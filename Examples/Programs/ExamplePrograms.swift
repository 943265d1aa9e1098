// The scripts of the examples build this target for the programs that it depends on.
