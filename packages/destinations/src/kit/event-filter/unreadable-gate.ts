import type { JsonObject } from '@sluice/core'
import { createSchemaCheck } from '#schema-check'
import type { CheckSettings } from '../settings/schema-problem.ts'
import type { EventFilter } from './event-filter.ts'
import { gateNames, gatesSchema } from './gate-settings.ts'

let check: CheckSettings | undefined

/** Returns the name of the first gate of settings that has no form that can be read, or undefined. */
export function unreadableGate(settings: JsonObject): string | undefined {
  if (!gateNames.some((name) => settings[name] !== undefined)) return undefined
  check ??= createSchemaCheck(gatesSchema)
  return check(settings)[0]?.at[0]
}

/**
 * Creates a filter that drops every event when a gate of the settings cannot be read: nobody knows then what it keeps
 * out. Settings are checked when they are read, so this is for those that came another way.
 */
export function unreadableGateFilter(settings: JsonObject): EventFilter {
  const name = unreadableGate(settings)
  if (name === undefined) return () => undefined
  const reason = `the setting ${name} cannot be read`
  return () => reason
}
