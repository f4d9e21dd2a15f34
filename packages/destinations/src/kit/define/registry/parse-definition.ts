import { InvariantError, isJsonObject } from '@sluice/core'
import { parseSettings } from '../../settings/parse-settings.ts'
import { type DestinationDefinition, defineDestination } from '../define-destination.ts'
import type { DeletionRule } from '../deletion.ts'
import { messageTypes } from '../message-type.ts'

export type ParsedDefinition =
  | { readonly ok: true; readonly definition: DestinationDefinition }
  | { readonly ok: false; readonly problem: string }

/**
 * Checks whether the export of a module is a definition, and returns it as `defineDestination` does, or what is wrong
 * with it. Does not call its functions.
 */
export function parseDefinition(value: unknown): ParsedDefinition {
  if (!isJsonObject(value)) return { ok: false, problem: 'it is not an object' }
  const wrong = Object.entries(members).find(([name, { fits }]) => !fits(value[name]))
  if (wrong) return { ok: false, problem: `its ${wrong[0]} must be ${wrong[1].allowed}` }
  try {
    const definition = defineDestination(value as unknown as DestinationDefinition)
    // Compiles the schema, which fails when it is invalid.
    parseSettings(definition, {})
    return { ok: true, definition }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return {
      ok: false,
      problem: error instanceof InvariantError ? text : `its settings are not a JSON Schema: ${text}`,
    }
  }
}

interface Member {
  readonly allowed: string
  fits(value: unknown): boolean
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isListOf = (value: unknown, fits: (element: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits)
const isFunction = (value: unknown): boolean => typeof value === 'function'
const optionalFunction: Member = {
  allowed: 'a function or absent',
  fits: (value) => value === undefined || isFunction(value),
}

const members: Readonly<Record<string, Member>> = {
  type: { allowed: 'a string', fits: isText },
  displayName: { allowed: 'a string', fits: isText },
  supports: {
    allowed: `a list of ${messageTypes.join(', ')}`,
    fits: (value) => isListOf(value, (type) => messageTypes.some((each) => each === type)),
  },
  settings: {
    allowed: 'the JSON Schema of an object (create it with Type.Object of typebox)',
    fits: (value) => isJsonObject(value) && value['type'] === 'object' && isJsonObject(value['properties']),
  },
  secrets: { allowed: 'a list of key paths', fits: (value) => isListOf(value, isText) },
  requests: { allowed: 'a function', fits: isFunction },
  batch: optionalFunction,
  respond: optionalFunction,
  deletion: {
    allowed: 'an object with usersMax (a number of at least 1, or a function) and requests (a function), or absent',
    fits: (value) => {
      if (value === undefined) return true
      const { usersMax, requests, identifier, follow } = Object(value) as Partial<DeletionRule>
      if (identifier !== undefined && !isFunction(identifier)) return false
      if (follow !== undefined && !(isFunction(follow?.question) && isFunction(follow?.progress))) return false
      return (isFunction(usersMax) || Number(usersMax) >= 1) && isFunction(requests)
    },
  },
  examples: { allowed: 'a list', fits: (value) => Array.isArray(value) },
}
