import type { EventState } from '../../../parts/event-state.ts'
import { durationText } from '../../../parts/format/duration-text.ts'
import { Pill } from '../../../parts/signs/pill.tsx'
import type { Circuits } from '../circuit.tsx'

type Circuit = NonNullable<ReturnType<Circuits['of']>>

interface HealthPillProps {
  readonly isEnabled: boolean
  /** Absent for those who may not know, and for disabled destinations. */
  readonly circuit: Circuit | undefined
}

/** How well a destination receives events, in a word or two. */
export function HealthPill({ isEnabled, circuit }: HealthPillProps) {
  const { state, text } = healthOf(isEnabled, circuit)
  return <Pill state={state}>{text}</Pill>
}

/** Returns the state of a destination and its words. */
export function healthOf(
  isEnabled: boolean,
  circuit: Circuit | undefined,
): { readonly state: EventState; readonly text: string } {
  if (!isEnabled) return { state: 'idle', text: 'Off' }
  if (circuit === undefined) return { state: 'ink', text: 'On' }
  const since = circuit.failingSince ?? circuit.oldestAt
  const time = since === undefined ? '' : ` for ${durationText(Math.max(0, Date.now() - Date.parse(since)))}`
  switch (circuit.health) {
    case 'failing':
      return { state: 'bad', text: 'Fails' }
    case 'waiting':
      return { state: 'bad', text: `Does not answer${time}` }
    case 'slow':
      return { state: 'wait', text: `Slow, the oldest waits${time}` }
    case 'paused':
      return { state: 'wait', text: 'Paused' }
    case 'works':
      return { state: 'good', text: 'Works' }
    default:
      return { state: 'idle', text: 'Idle' }
  }
}
