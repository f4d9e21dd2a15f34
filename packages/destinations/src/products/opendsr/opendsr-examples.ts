import { configurationError, type DeletionExample, instrumentationError, json } from '../../kit/index.ts'

const address = 'https://opendsr.vendor.example/v2/requests'
const context = { now: Date.UTC(2026, 0, 1), requestId: 'a7551968-d5d6-44b2-9831-815ac9017798' }
const headers = { 'Content-Type': 'application/json', Accept: 'application/json', Authorization: 'Bearer token' }
const request = {
  regulation: 'gdpr',
  subject_request_id: 'a7551968-d5d6-44b2-9831-815ac9017798',
  subject_request_type: 'erasure',
  submitted_time: '2026-01-01T00:00:00.000Z',
  api_version: '2.0',
}

/** Source: OpenDSR specification, 7.2. */
export const opendsrExamples: readonly DeletionExample[] = [
  {
    title: 'the erasure of a user is ordered by the userId',
    users: [{ userId: 'user-42', email: 'u42@shop.test' }],
    settings: { address, authorization: 'Bearer token' },
    context,
    requests: [
      json({
        method: 'POST',
        endpoint: address,
        headers,
        body: {
          ...request,
          subject_identities: [
            { identity_type: 'controller_customer_id', identity_value: 'user-42', identity_format: 'raw' },
          ],
        },
      }),
    ],
  },
  {
    title: 'identities that the processor supports are named in the settings',
    users: [{ userId: 'user-42', email: 'u42@shop.test' }],
    settings: {
      address,
      authorization: 'Bearer token',
      regulation: 'ccpa',
      identityTypes: ['email', 'ios_advertising_id'],
    },
    context,
    requests: [
      json({
        method: 'POST',
        endpoint: address,
        headers,
        body: {
          ...request,
          regulation: 'ccpa',
          subject_identities: [{ identity_type: 'email', identity_value: 'u42@shop.test', identity_format: 'raw' }],
        },
      }),
    ],
  },
  {
    title: 'a user without the first of them is not sent',
    users: [{ userId: 'user-42' }],
    settings: { address, identityTypes: ['email'] },
    error: instrumentationError('email is needed to delete a user'),
  },
  {
    title: 'nothing is deleted without an address',
    users: [{ userId: 'user-42' }],
    settings: {},
    error: configurationError('address is needed to delete users'),
  },
]
