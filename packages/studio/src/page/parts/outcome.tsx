import { Notice } from './notice.tsx'
import type { Action } from './use-action.ts'

/** How the last run of an action ended. */
export function Outcome({ action: { problem, done } }: { readonly action: Action }) {
  if (problem !== undefined) return <Notice kind="bad">{problem}</Notice>
  return done === undefined ? null : <Notice kind="good">{done}</Notice>
}
