const z = 1.96; // of the normal distribution, for 95 %

/**
 * The interval in which Cohen's κ lies with 95 %: Wilson's interval of the agreement, brought to κ by the agreement of chance,
 * which follows from both numbers. Unlike the interval by Cohen's standard error it is no single point where all agree.
 */
export function kappaInterval(agreement: number, kappa: number, labelled: number): [low: number, high: number] | undefined {
  if (kappa === 1 || labelled === 0) return undefined; // then the agreement of chance does not follow
  const chance = (agreement - kappa) / (1 - kappa);
  const centre = (agreement + (z * z) / (2 * labelled)) / (1 + (z * z) / labelled);
  const half = (z / (1 + (z * z) / labelled)) * Math.sqrt((agreement * (1 - agreement)) / labelled + (z * z) / (4 * labelled * labelled));
  const asKappa = (share: number) => (share - chance) / (1 - chance);
  return [asKappa(centre - half), asKappa(centre + half)];
}
