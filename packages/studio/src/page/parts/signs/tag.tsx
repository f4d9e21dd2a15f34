import type { ComponentChildren } from 'preact'
import type { EventState } from '../event-state.ts'

interface TagProps {
  readonly state?: EventState
  /** For ids, types and codes. */
  readonly isMono?: boolean
  readonly children: ComponentChildren
}

/** A short word in a frame: a type, a version, personal data. */
export function Tag({ state, isMono, children }: TagProps) {
  return <span class={`tag${state ? ` ${state}` : ''}${isMono ? ' mono' : ''}`}>{children}</span>
}
