import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, firstAt, generic } from '../../kit/index.ts'
import { amplitudeOption } from './amplitude-option.ts'

/** A group in Amplitude, such as the company Acme. */
export interface AmplitudeGroup {
  readonly group_type: string
  readonly group_value: JsonValue
  readonly group_properties?: JsonObject
}

const defaultType = '[Rudderstack] Group' // the value that RudderStack sends, because existing charts use it

const groupIdOf = firstAt(generic.groupId)
const groupsOption = firstAt(amplitudeOption('groups'), isJsonObject)

/**
 * Returns the group of a group event: from the Amplitude option of the event, from the two traits in the settings, or,
 * if the settings have none, from its groupId.
 *
 * Source: RudderStack docs, Amplitude, group.
 */
export function groupOf(event: JsonObject, settings: JsonObject): AmplitudeGroup | undefined {
  const option = groupOptionOf(event)
  if (option) return option
  const { groupTypeTrait, groupValueTrait } = settings
  const traits = isJsonObject(event['traits']) ? event['traits'] : undefined
  const properties = traits && { group_properties: traits }
  if (groupTypeTrait && groupValueTrait) {
    const [type, value] = [groupTypeTrait, groupValueTrait].map((name) => traits?.[String(name)])
    return type && value ? { group_type: convert.text(type), group_value: value, ...properties } : undefined
  }
  const id = groupIdOf(event)
  return id ? { group_type: defaultType, group_value: id, ...properties } : undefined
}

function groupOptionOf(event: JsonObject): AmplitudeGroup | undefined {
  const { group_type: type, group_value: value } = groupsOption(event) ?? {}
  return type && value ? { group_type: convert.text(type), group_value: value } : undefined
}

/** Returns the groups of an event, if it has the Amplitude option for them. */
export function eventGroups(event: JsonObject): JsonObject | undefined {
  const group = groupOptionOf(event)
  return group ? { [group.group_type]: group.group_value } : groupsOption(event)
}
