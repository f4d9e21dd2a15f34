import type { EarlyTry } from '@sluice/pipeline'

/** A try that a process announces to the others. */
export type AnnouncedTry = EarlyTry & {
  /** The node that announces it. */
  readonly from: string
}

/** How the notification of a try begins. */
export const tryPrefix = 'try '

/** Returns the notification of a try. */
export function toTryText(announced: AnnouncedTry): string {
  return `${tryPrefix}${JSON.stringify(announced)}`
}

/** Parses the notification of a try. @returns undefined for one that this release does not know. */
export function parseTryText(text: string): AnnouncedTry | undefined {
  try {
    const { kind, from, workspaceId, destinationId } = JSON.parse(text.slice(tryPrefix.length))
    if (typeof from !== 'string') return undefined
    if (kind === 'deletions') return { kind, from }
    const isPlace = typeof workspaceId === 'string' && typeof destinationId === 'string'
    return kind === 'circuit' && isPlace ? { kind, from, workspaceId, destinationId } : undefined
  } catch {
    return undefined
  }
}
