import type { EventState } from '../../parts/event-state.ts'

/** What became of an event, as a word with its colour: outcomes of the live stream and of a journey. */
export const outcomeWords: Readonly<Record<string, { readonly state: EventState; readonly word: string }>> = {
  accepted: { state: 'note', word: 'accepted' },
  delivered: { state: 'good', word: 'delivered' },
  deferred: { state: 'wait', word: 'waits' },
  waiting: { state: 'wait', word: 'waits' },
  pending: { state: 'wait', word: 'in the log' },
  dropped: { state: 'idle', word: 'filtered' },
  failed: { state: 'bad', word: 'failed' },
}
