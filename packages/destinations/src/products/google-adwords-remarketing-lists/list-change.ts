import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { configurationError, googleAdsCustomer, googleConsent, type MappingError, valueAt } from '../../kit/index.ts'
import type { ListSettings, Person } from './person.ts'

/** The list that people are added to or removed from. */
interface List extends ListSettings {
  readonly id: string
  readonly customerId: string
  readonly type: JsonValue | undefined
  readonly consent: { readonly userData: string; readonly personalization: string }
  readonly enablePartialFailure: JsonValue | undefined
  readonly enableWarnings: JsonValue | undefined
  readonly validateOnly: JsonValue | undefined
}

/** A change of a list. */
export interface ListChange {
  readonly kind: 'add' | 'remove'
  readonly people: readonly Person[]
  readonly list: List
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the list of an event: that of the connection, of the event, or of the settings. */
export function listOf(
  event: JsonObject,
  settings: JsonObject,
  connection: JsonObject | undefined,
): List | MappingError {
  const own = valueAt(connection, ['config', 'destination'])
  const all: JsonObject = isJsonObject(own) ? { ...settings, ...own } : settings
  const id = idOfEvent(event) ?? all['audienceId']
  if (typeof id !== 'string' || id === '') return configurationError('the setting audienceId is missing')
  const { userSchema } = isJsonObject(own) ? own : settings
  return {
    id,
    customerId: googleAdsCustomer(all['customerId']),
    type: all['typeOfList'],
    isHashRequired: all['isHashRequired'] !== false,
    userSchema: Array.isArray(userSchema) ? userSchema : undefined,
    consent: {
      userData: googleConsent(all['userDataConsent']),
      personalization: googleConsent(all['personalizationConsent']),
    },
    enablePartialFailure: valueAt(event, ['properties', 'enablePartialFailure']),
    enableWarnings: valueAt(event, ['properties', 'enableWarnings']),
    validateOnly: valueAt(event, ['properties', 'validateOnly']),
  }
}

const externalType = 'GOOGLE_ADWORDS_REMARKETING_LISTS-'

/** Returns the id of the list that a row of a warehouse is mapped to. */
function idOfEvent(event: JsonObject): string | undefined {
  const isMapped = valueAt(event, ['context', 'mappedToDestination'])
  const ids = isMapped ? valueAt(event, ['context', 'externalId']) : undefined
  if (!Array.isArray(ids)) return undefined
  for (const each of ids) {
    const type = isJsonObject(each) ? each['type'] : undefined
    if (typeof type === 'string' && type.startsWith(externalType)) return type.slice(externalType.length)
  }
  return undefined
}
