import { isJsonObject } from '@sluice/core'
import {
  configurationError,
  type DeletionRule,
  defined,
  identifiersOf,
  json,
  verdictByStatus,
} from '../../kit/index.ts'
import { emarsysHeaders, fieldOf, traitOf } from './emarsys-headers.ts'
import { emarsysSearch } from './emarsys-search.ts'

const noContact = 2008 // source: Emarsys docs, error codes: no contact was found

/**
 * Deletes contacts by their identifying field. The field mapping names its trait.
 *
 * Source: Emarsys docs, Delete contacts; packages/docs/behaviour/regulations.md#destinations.
 */
export const emarsysDeletion: DeletionRule = {
  usersMax: 1_000, // source: Emarsys docs, Delete contacts
  identifier: (settings) => traitOf(fieldOf(settings), settings),
  requests(users, settings, context) {
    const headers = emarsysHeaders(settings, context)
    if (headers === undefined)
      return configurationError('emersysUsername and emersysUserSecret are needed to delete users')
    const field = fieldOf(settings)
    const ids = identifiersOf(users, traitOf(field, settings))
    if (ids.length === 0) return []
    const list = settings['defaultContactList']
    const request = json({
      method: 'POST',
      endpoint: 'https://api.emarsys.net/api/v2/contact/delete',
      headers,
      body: defined({ key_id: field, contact_list_id: list || undefined, [field]: ids }),
    })
    return [request]
  },
  respond(reply) {
    const verdict = verdictByStatus(reply)
    const code = isJsonObject(reply.body) ? reply.body['replyCode'] : undefined
    const isUnknown = reply.status === 400 && (code === undefined || Number(code) === noContact)
    return isUnknown ? { outcome: 'delivered', status: 200, message: 'no such contact' } : verdict
  },
  search: emarsysSearch,
  examples: [
    {
      title: 'contacts are deleted by the trait of the identifying field',
      users: [{ userId: 'u1', customer: 'c1' }, { userId: 'u2' }],
      settings: {
        emersysUsername: 'name',
        emersysUserSecret: 'secret',
        emersysCustomIdentifier: '10569',
        defaultContactList: 'list',
        fieldMapping: [{ rudderProperty: 'customer', emersysProperty: '10569' }],
      },
      context: { now: Date.UTC(2024, 0), requestId: '97fcd7b2-cc24-47d7-b776-057b7b199513' },
      requests: [
        json({
          method: 'POST',
          endpoint: 'https://api.emarsys.net/api/v2/contact/delete',
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json',
            'X-WSSE':
              'UsernameToken Username="name", PasswordDigest="ZjExYjZkN2FlOTEyNDRjMTJmMjVmYTczNDhkMGU5NjgyNWQ1OTFkOA==", Nonce="97fcd7b2cc2447d7b776057b7b199513", Created="2024-01-01T00:00:00.000Z"',
          },
          body: { key_id: '10569', contact_list_id: 'list', '10569': ['c1'] },
        }),
      ],
    },
    {
      title: 'nothing is deleted without a secret',
      users: [{ email: 'a@example.com' }],
      settings: { emersysUsername: 'name' },
      error: configurationError('emersysUsername and emersysUserSecret are needed to delete users'),
    },
  ],
}
