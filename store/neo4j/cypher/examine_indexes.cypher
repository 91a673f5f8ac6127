SHOW INDEXES YIELD name, state, populationPercent
