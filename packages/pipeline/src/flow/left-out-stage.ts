import { drop, type Stage } from '@sluice/core'

/** Returns a stage that ends every event: it takes the place of a stage that a trial or an offline test leaves out. */
export function leftOutStage<In, Out>(name: string): Stage<In, Out> {
  return { name, mutatesInput: false, run: async (batch) => batch.map(() => drop('this stage was left out')) }
}
