/// <reference lib="es2024.string" />
import type { Event } from '@sluice/core'
import { nameLengthMax } from './stores/bound-names.ts'

/**
 * Returns the name under which an event is counted: its type, and for a track call its name behind it, as tracking plans write
 * it. Lone surrogates become U+FFFD, as in the catalogue.
 */
export function eventName({ type, event }: Event): string {
  if (typeof type !== 'string' || type === '') return withoutType
  if (type !== 'track') return bounded(type)
  return typeof event === 'string' ? `track ${bounded(event)}` : 'track '
}

/** Stands for the events that have no type. */
const withoutType = '(no type)'

const bounded = (name: string): string => name.slice(0, nameLengthMax).toWellFormed()
