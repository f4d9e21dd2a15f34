import type { Configuration, ConfigurationEntry } from '@sluice/configuration'
import type { JsonObject } from '@sluice/core'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, noContent } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import {
  area,
  CredentialBody,
  CredentialRecord,
  etag,
  ifMatch,
  listOf,
  one,
  PageQuery,
  ValidateQuery,
} from './configuration-schemas.ts'
import { pageOf } from './page.ts'
import { shownEntry } from './shown-entry.ts'
import { parseIfMatch, recordAnswer, toAnswer } from './to-answer.ts'

const path = '/v2/credentials'
const kind = 'credential'

/** Creates the routes that list, set and delete the credentials that user code reads. No answer has their values. */
export function credentialRoutes(gate: TokenGate, configuration: Configuration): readonly Route[] {
  const errors = [
    'recordChanged',
    'managedByFile',
    'configurationInvalid',
    'configurationFull',
    'configurationBusy',
    'ifMatchInvalid',
  ] as const
  return [
    gate.route({
      method: 'get',
      path,
      operationId: 'listCredentials',
      summary: 'The names of the credentials of the workspace',
      area,
      scopes: ['read'],
      query: PageQuery,
      responses: { 200: { description: 'Names, without values.', schema: listOf('credentials', CredentialRecord) } },
      errors: [],
      handle: ({ workspace, query }) => {
        const { entries, paging } = pageOf(path, configuration.list(workspace.id, kind), query)
        return answer({ credentials: entries.map(shown), paging })
      },
    }),
    gate.route({
      method: 'put',
      path: `${path}/{name}`,
      operationId: 'setCredential',
      summary: 'Set a credential',
      area,
      scopes: ['write', 'operate'],
      query: ValidateQuery,
      headers: ifMatch,
      body: CredentialBody,
      responses: {
        200: {
          description: 'The credential, without its value.',
          headers: etag,
          schema: one('credential', CredentialRecord),
        },
      },
      errors,
      handle: async ({ workspace, param, query, body, header }) => {
        const condition = parseIfMatch(header('if-match'))
        if ('status' in condition) return condition
        const change = { action: 'put', kind, id: param('name'), ...condition, body } as const
        const options = { validateOnly: query.validate === true }
        return toAnswer(await configuration.change(workspace.id, [change], options), ([entry]) =>
          entry ? recordAnswer(entry, { credential: shown(entry) }) : noContent,
        )
      },
    }),
    gate.route({
      method: 'delete',
      path: `${path}/{name}`,
      operationId: 'deleteCredential',
      summary: 'Delete a credential; one that is gone already is fine',
      area,
      scopes: ['write', 'operate'],
      query: ValidateQuery,
      headers: ifMatch,
      responses: { 204: { description: 'It is gone.' } },
      errors,
      handle: async ({ workspace, param, query, header }) => {
        const condition = parseIfMatch(header('if-match'))
        if ('status' in condition) return condition
        const change = { action: 'delete', kind, id: param('name'), ...condition } as const
        const options = { validateOnly: query.validate === true }
        return toAnswer(await configuration.change(workspace.id, [change], options), () => noContent)
      },
    }),
  ]
}

function shown(entry: ConfigurationEntry): JsonObject {
  const { id: name, ...members } = shownEntry(entry, {})
  return { name, ...members }
}
