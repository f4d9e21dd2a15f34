import { configurationError, convert, type DeletionRule, identifiersOf, json } from '../../kit/index.ts'
import { brazeDeletionExamples } from './braze-examples.ts'
import { brazeHost } from './braze-host.ts'
import { brazeSearch } from './braze-search.ts'

/** How users are deleted at Braze. Source: Braze docs, Delete users. */
export const brazeDeletion: DeletionRule = {
  usersMax: 50, // source: Braze docs, Delete users
  concurrency: 4,
  requests(users, { restApiKey, dataCenter }) {
    const host = brazeHost(convert.text(dataCenter ?? ''))
    if (!restApiKey || !host) return configurationError('restApiKey and dataCenter are needed to delete users')
    const ids = identifiersOf(users)
    if (ids.length === 0) return []
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${restApiKey}` }
    return [json({ method: 'POST', endpoint: `${host}/users/delete`, headers, body: { external_ids: ids } })]
  },
  search: brazeSearch,
  examples: brazeDeletionExamples,
}
