import type { JsonObject } from '@sluice/core'
import { type DeliveryRequest, defined, json } from '../../kit/index.ts'
import type { ListChange } from './list-change.ts'
import type { Person } from './person.ts'

/** Returns a request to change a list with the Data Manager API. Source: Data Manager docs, audienceMembers. */
export function dataManagerRequest({ kind, people, list, headers }: ListChange): DeliveryRequest | undefined {
  const consent = {
    adUserData: statusOf(list.consent.userData),
    adPersonalization: statusOf(list.consent.personalization),
  }
  const audienceMembers = people.flatMap((person) => {
    const data = dataOf(person, list.type)
    return data === undefined ? [] : [{ ...data, consent }]
  })
  if (audienceMembers.length === 0) return undefined
  const { 'login-customer-id': manager } = headers
  const path = `/v1/audienceMembers:${kind === 'add' ? 'ingest' : 'remove'}`
  return json({
    method: 'POST',
    endpoint: `https://datamanager.googleapis.com${path}`,
    endpointPath: path,
    headers,
    body: {
      destinations: [
        defined({
          operatingAccount: account(list.customerId),
          productDestinationId: list.id,
          loginAccount: manager === undefined ? undefined : account(manager),
        }),
      ],
      audienceMembers,
      encoding: 'HEX',
      ...(kind === 'add' ? { consent, termsOfService: { customerMatchTermsOfServiceStatus: 'ACCEPTED' } } : {}),
    },
  })
}

function account(accountId: string): JsonObject {
  return { accountId, accountType: 'GOOGLE_ADS' }
}

function statusOf(consent: string): string {
  return consent === 'GRANTED' || consent === 'DENIED' ? `CONSENT_${consent}` : 'CONSENT_STATUS_UNSPECIFIED'
}

function dataOf(person: Person, type: unknown): JsonObject | undefined {
  if (type === 'userID') return person.userId === undefined ? undefined : { userIdData: { userId: person.userId } }
  if (type === 'mobileDeviceID') {
    return person.mobileId === undefined ? undefined : { mobileData: { mobileIds: [person.mobileId] } }
  }
  const { email, phone, firstName, lastName, country, postalCode } = person
  const hasAddress =
    firstName !== undefined && lastName !== undefined && country !== undefined && postalCode !== undefined
  const userIdentifiers = [
    ...(email === undefined ? [] : [{ emailAddress: email }]),
    ...(phone === undefined ? [] : [{ phoneNumber: phone }]),
    ...(hasAddress
      ? [{ addressInfo: { givenName: firstName, familyName: lastName, regionCode: country, postalCode } }]
      : []),
  ]
  return userIdentifiers.length === 0 ? undefined : { userData: { userIdentifiers } }
}
