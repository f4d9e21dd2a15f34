import { drop, type Stage } from '@sluice/core'
import type { DestinationPath } from '../destination-path.ts'

const leftOut = drop('this stage was left out')

/** Returns a stage that ends every event: it takes the place of a stage that a trial or an offline test leaves out. */
export function leftOutStage<In, Out>(name: string): Stage<In, Out> {
  return { name, run: async (batch) => batch.map(() => leftOut) }
}

/** The same in place of sending. */
export const leftOutSend: DestinationPath['send'] = async (batch, { settled }) => {
  for (const index of batch.keys()) settled(index, leftOut)
}
