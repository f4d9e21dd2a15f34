import type { ComponentChildren } from 'preact'
import type { EventState } from '../event-state.ts'
import { Icon, type IconName } from '../signs/icon.tsx'

interface StateSentenceProps {
  readonly state: EventState
  /** The answer, in one sentence; what is in a `span` is softer. */
  readonly children: ComponentChildren
  /** The next step. */
  readonly actions?: ComponentChildren
}

const icons: Readonly<Record<EventState, IconName>> = {
  good: 'circle-check',
  bad: 'circle-x',
  wait: 'triangle-alert',
  idle: 'circle-dashed',
  guard: 'shield-check',
  note: 'rotate-ccw-clock',
  ink: 'circle-dashed',
}

/** How things are, in one sentence with its colour, and the next step beside it. */
export function StateSentence({ state, children, actions }: StateSentenceProps) {
  return (
    <div class={`word ${state}`}>
      <Icon name={icons[state]} isLarge />
      <p>{children}</p>
      {actions}
    </div>
  )
}
