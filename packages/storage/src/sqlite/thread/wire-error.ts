import { InvariantError, StoreFullError } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import {
  StoreClosedError,
  StoreDamagedError,
  StoreInUseError,
  StoreUnusableError,
  StoreVersionError,
} from '../../store-errors.ts'

/** An error passed between threads, which would lose its class otherwise. */
export interface WireError {
  readonly name: string
  readonly message: string
  readonly stack?: string
  readonly code?: string
}

const known: Readonly<Record<string, new (message: string) => Error>> = {
  InvariantError,
  StoreFullError,
  StoreClosedError,
  StoreDamagedError,
  StoreInUseError,
  StoreUnusableError,
  StoreVersionError,
}

export function packError(thrown: unknown): WireError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown) }
  const { name, message, stack } = thrown
  const code = 'code' in thrown && typeof thrown.code === 'string' ? { code: thrown.code } : {}
  return defined({ name, message, stack, ...code })
}

export function unpackError({ name, message, stack, code }: WireError): Error {
  const Known = known[name]
  const error = Known ? new Known(message) : Object.assign(new Error(message), { name })
  return Object.assign(error, defined({ stack, code }))
}
