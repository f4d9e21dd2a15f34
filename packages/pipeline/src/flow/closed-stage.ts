import { drop, type Outcome, type Stage } from '@sluice/core'

/** Drops everything: the whole line of a destination that is disabled, or gone while events were still waiting for it. */
export function createClosedStage<In, Out>(reason: string): Stage<In, Out> {
  return {
    name: 'fan-out',
    mutatesInput: false,
    async run(batch): Promise<readonly Outcome<Out>[]> {
      return batch.map(() => drop(reason))
    },
  }
}
