/// <reference lib="es2024.string" />
import type { Event } from '@sluice/core'
import { nameLengthMax } from './stores/named-count.ts'

/**
 * Returns the name under which an event is counted: its type, and for a track call its name behind it, as tracking plans write
 * it. An event without a type has the name ''. Lone surrogates become U+FFFD, as in the catalogue.
 */
export function eventName({ type, event }: Event): string {
  if (typeof type !== 'string') return ''
  if (type !== 'track') return bounded(type)
  return typeof event === 'string' ? `track ${bounded(event)}` : 'track '
}

const bounded = (name: string): string => name.slice(0, nameLengthMax).toWellFormed()
