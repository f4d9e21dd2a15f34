import { signal } from '@preact/signals'

/** Failed events whose cause is being mended elsewhere: the next step follows the reader there. */
export interface Mending {
  readonly destinationId: string
  readonly destinationName: string
  readonly code: string
  readonly reason: string
  readonly count: number
  readonly transformationId: string
  readonly transformationName: string
}

/** What is being mended; undefined for nothing. It is forgotten when the page is loaded again. */
export const mending = signal<Mending | undefined>(undefined)

export function startMending(what: Mending): void {
  mending.value = what
}

export function endMending(): void {
  mending.value = undefined
}
