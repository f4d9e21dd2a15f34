import type { JsonObject } from '@sluice/core'
import { createSchemaCheck } from '#schema-check'
import type { CheckSettings, SchemaProblem } from '../settings/schema-problem.ts'
import type { EventFilter } from './event-filter.ts'
import { gateNames } from './gate-names.ts'
import { gatesSchema } from './with-gates.ts'

let check: CheckSettings | undefined

/** Returns what is wrong with the gates of settings, whatever their type. The schema is compiled once for all types. */
export function gateProblems(settings: JsonObject): readonly SchemaProblem[] {
  if (!gateNames.some((name) => settings[name] !== undefined)) return []
  check ??= createSchemaCheck(gatesSchema)
  return check(settings)
}

/** Returns the name of the first gate of settings that has no form that can be read, or undefined. */
export function unreadableGate(settings: JsonObject): string | undefined {
  return gateProblems(settings)[0]?.at[0]
}

/**
 * Creates a filter that drops every event when a gate of the settings cannot be read, because it is not known then what
 * to keep out. Settings are checked when they are read, so this is for those that came another way.
 */
export function unreadableGateFilter(settings: JsonObject): EventFilter {
  const name = unreadableGate(settings)
  if (name === undefined) return () => undefined
  const reason = `the setting ${name} cannot be read`
  return () => reason
}
