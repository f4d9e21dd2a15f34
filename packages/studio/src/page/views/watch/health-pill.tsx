import type { CircuitsAnswer } from '@sluice/http'
import type { EventState } from '../../parts/event-state.ts'
import { durationText } from '../../parts/format/duration-text.ts'
import { Pill } from '../../parts/signs/pill.tsx'

type Circuit = CircuitsAnswer['workspaces'][number]['destinations'][number]

const words = {
  works: ['good', 'Works'],
  idle: ['idle', 'Idle'],
  slow: ['wait', 'Slow'],
  waiting: ['bad', 'Does not answer'],
  failing: ['bad', 'Fails'],
  paused: ['wait', 'Paused'],
} as const satisfies Readonly<Record<Circuit['health'], readonly [EventState, string]>>

/** Returns the colour of the health of a destination. */
export function healthState(circuit: Circuit | undefined): EventState {
  return circuit === undefined ? 'idle' : words[circuit.health][0]
}

/** How a destination is, and for how long. Without a circuit it is off. */
export function HealthPill({ circuit }: { readonly circuit: Circuit | undefined }) {
  if (circuit === undefined) return <Pill state="idle">Off</Pill>
  const [state, word] = words[circuit.health]
  const since =
    circuit.health === 'paused' ? circuit.pausedAt : circuit.health === 'waiting' ? circuit.failingSince : ''
  return (
    <span title={since || undefined}>
      <Pill state={state}>
        {word}
        {since ? ` for ${durationText(Math.max(0, Date.now() - Date.parse(since)))}` : ''}
      </Pill>
    </span>
  )
}
