import { defined } from '@sluice/core/defined'
import { type Static, Type } from 'typebox'
import { basicAuth } from '../convert/basic-auth.ts'
import { type DeliveryRequest, sink } from '../map/request/delivery-request.ts'
import * as field from '../settings/declare/field.ts'

const address = '(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(?::\\d{1,5})?'

/** Settings that name a Redis server or cluster. Events cannot choose them. */
export const redisServerSettings = {
  address: field.requiredText({
    title: 'Address',
    pattern: `^${address}(?:\\s*,\\s*${address})*$`,
    description: 'Host and port of the server; in cluster mode, of some nodes, separated by commas.',
    allowed: 'host:port, without a template',
    isFixed: true,
  }),
  password: field.text({
    title: 'Password',
    default: '',
    description: 'Password, if the server requires one.',
    isFixed: true,
  }),
  username: field.text({
    title: 'User name',
    default: '',
    description: 'User name; the default user when empty.',
    isFixed: true,
    isUnlisted: true,
  }),
  clusterMode: field.flag({ title: 'Cluster', description: 'Whether the server is a cluster.', isFixed: true }),
  secure: field.flag({ title: 'TLS', description: 'Whether to connect over TLS.', isFixed: true }),
  skipVerify: field.flag({
    title: 'Accept any certificate',
    description: 'Accepts any certificate, so that attackers in the network can read and change everything.',
    isFixed: true,
  }),
  caCertificate: field.text({
    title: 'Certificate',
    default: '',
    description: 'Certificate (PEM) of the authority to trust instead of public ones.',
    isFixed: true,
  }),
  database: Type.Unsafe<string | number>({
    title: 'Database',
    type: ['string', 'integer'],
    default: '',
    pattern: '^\\d{0,5}$',
    minimum: 0,
    description: 'Number of the database; 0 when empty, and in a cluster.',
    allowed: 'the number of a database',
    isFixed: true,
  }),
}

const server = Type.Object(redisServerSettings)

export type RedisServer = Static<typeof server>

/** Returns a request that runs commands on the server in the settings. */
export function redisCommands(set: RedisServer, commands: readonly (readonly string[])[]): DeliveryRequest {
  const { username, password, secure, clusterMode, skipVerify, caCertificate } = set
  const [node = '', ...moreNodes] = set.address.split(',').map((each) => each.trim())
  const database = clusterMode ? 0 : Number(set.database)
  return sink({
    method: 'POST',
    endpoint: `${secure ? 'rediss' : 'redis'}://${node}/${database}`,
    headers: password === '' ? {} : { authorization: basicAuth(username || 'default', password) },
    params: defined({
      ...(clusterMode ? { clusterMode, moreNodes } : {}),
      skipVerify: secure && skipVerify ? skipVerify : undefined,
      caCertificate: secure && caCertificate !== '' ? caCertificate : undefined,
    }),
    body: { commands },
  })
}
