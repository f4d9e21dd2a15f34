import type { ComponentChildren } from 'preact'
import type { EventState } from '../event-state.ts'
import { Icon, type IconName } from './icon.tsx'

interface PillProps {
  readonly state: EventState
  /** In place of the dot. */
  readonly icon?: IconName
  /** Whether the dot pulses: something happens now. */
  readonly isLive?: boolean
  /** Without a ground, for tables with many of them. */
  readonly isBare?: boolean
  readonly children: ComponentChildren
}

/** A state in a word, with its colour: Works, Fails, Waits. */
export function Pill({ state, icon, isLive, isBare, children }: PillProps) {
  return (
    <span class={`pill ${state}${isBare ? ' bare' : ''}`}>
      {icon ? <Icon name={icon} /> : <i class={`dot${isLive ? ' live' : ''}`} />}
      {children}
    </span>
  )
}
