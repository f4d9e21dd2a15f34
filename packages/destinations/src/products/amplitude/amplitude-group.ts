import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, firstAt, generic } from '../../kit/index.ts'
import { readAmplitudeOption } from './amplitude-option.ts'

/** A group in Amplitude, such as the company Acme. */
export interface AmplitudeGroup {
  readonly group_type: string
  readonly group_value: JsonValue
  readonly group_properties?: JsonObject
}

const defaultType = '[Rudderstack] Group' // the value that RudderStack sends, because existing charts use it

const groupIdOf = firstAt(generic.groupId)

/**
 * Returns the group of a group event: from the Amplitude option of the event, from the two traits in the settings, or,
 * if the settings have none, from its groupId.
 *
 * Source: RudderStack docs, Amplitude, group.
 */
export function groupOf(event: JsonObject, settings: JsonObject): AmplitudeGroup | undefined {
  const option = groupOptionOf(event)
  if (option) return option
  const { traits } = event
  const { groupTypeTrait, groupValueTrait } = settings
  if (groupTypeTrait && groupValueTrait) {
    if (!isJsonObject(traits)) return undefined
    const type = traits[String(groupTypeTrait)]
    const value = traits[String(groupValueTrait)]
    return type && value ? { group_type: convert.text(type), group_value: value, group_properties: traits } : undefined
  }
  const id = groupIdOf(event)
  if (!id) return undefined
  return { group_type: defaultType, group_value: id, ...(isJsonObject(traits) && { group_properties: traits }) }
}

function groupOptionOf(event: JsonObject): AmplitudeGroup | undefined {
  const groups = groupsOptionOf(event)
  const { group_type: type, group_value: value } = groups ?? {}
  return type && value ? { group_type: convert.text(type), group_value: value } : undefined
}

/** Returns the groups of a track event, if it has the Amplitude option for them. */
export function eventGroups(event: JsonObject): JsonObject | undefined {
  const group = groupOptionOf(event)
  return group ? { [group.group_type]: group.group_value } : groupsOptionOf(event)
}

const readGroupsOption = readAmplitudeOption('groups')

function groupsOptionOf(event: JsonObject): JsonObject | undefined {
  const groups = readGroupsOption(event)
  return isJsonObject(groups) ? groups : undefined
}
