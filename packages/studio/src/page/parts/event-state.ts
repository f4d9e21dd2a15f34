/**
 * What happens to events, as a colour: `good` delivered, `bad` failed, `wait` waiting, `idle` filtered on purpose or off,
 * `guard` suppressed, `note` changed. `ink` is for what has no state.
 */
export type EventState = 'good' | 'bad' | 'wait' | 'idle' | 'guard' | 'note' | 'ink'
