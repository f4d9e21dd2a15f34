import type { JsonObject, JsonValue } from '@sluice/core'
import { type DeliveryRequest, defined, json } from '../../kit/index.ts'
import type { ListChange } from './list-change.ts'
import type { Person } from './person.ts'

/** Returns the operations of a job that changes a list. Source: Google Ads docs, OfflineUserDataJobOperation. */
export function googleAdsJob({ kind, people, list, headers }: ListChange): DeliveryRequest | undefined {
  const operations = people.flatMap((person) => {
    const userIdentifiers = identifiersOf(person, list.type)
    return userIdentifiers.length === 0 ? [] : [{ [kind === 'add' ? 'create' : 'remove']: { userIdentifiers } }]
  })
  if (operations.length === 0) return undefined
  const { enablePartialFailure, enableWarnings, validateOnly, customerId, id, consent } = list
  return json({
    method: 'POST',
    endpoint: `https://googleads.googleapis.com/v23/customers/${customerId}/offlineUserDataJobs`,
    endpointPath: 'offlineUserDataJobs',
    headers,
    params: {
      listId: id,
      customerId,
      consent: { adPersonalization: consent.personalization, adUserData: consent.userData },
    },
    body: defined({ enablePartialFailure, enableWarnings, validateOnly, operations }),
  })
}

function identifiersOf(person: Person, type: JsonValue | undefined): readonly JsonObject[] {
  if (type === 'userID') return person.userId === undefined ? [] : [{ thirdPartyUserId: person.userId }]
  if (type === 'mobileDeviceID') return person.mobileId === undefined ? [] : [{ mobileId: person.mobileId }]
  const { email, phone, firstName, lastName, country, postalCode } = person
  const address = defined({
    hashedFirstName: firstName,
    hashedLastName: lastName,
    countryCode: country,
    postalCode,
  })
  return [
    ...(email === undefined ? [] : [{ hashedEmail: email }]),
    ...(phone === undefined ? [] : [{ hashedPhoneNumber: phone }]),
    ...(Object.keys(address).length === 0 ? [] : [{ addressInfo: address }]),
  ]
}
