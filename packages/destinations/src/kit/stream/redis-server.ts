import { type Static, Type } from 'typebox'
import { basicAuth } from '../convert/basic-auth.ts'
import { type DeliveryRequest, sink } from '../map/delivery-request.ts'

const address = '(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(?::\\d{1,5})?'

/** Settings that name a Redis server or cluster. Events cannot choose them. */
export const redisServerSettings = {
  address: Type.String({
    pattern: `^${address}(?:\\s*,\\s*${address})*$`,
    description: 'Host and port of the server; in cluster mode, of some nodes, separated by commas.',
    allowed: 'host:port, without a template',
    isFixed: true,
  }),
  password: Type.String({ default: '', description: 'Password, if the server requires one.', isFixed: true }),
  username: Type.String({
    default: '',
    description: 'User name; the default user when empty.',
    isFixed: true,
    isUnlisted: true,
  }),
  clusterMode: Type.Boolean({ default: false, description: 'Whether the server is a cluster.', isFixed: true }),
  secure: Type.Boolean({ default: false, description: 'Whether to connect over TLS.', isFixed: true }),
  skipVerify: Type.Boolean({
    default: false,
    description: 'Accepts any certificate, so that attackers in the network can read and change everything.',
    isFixed: true,
  }),
  caCertificate: Type.String({
    default: '',
    description: 'Certificate (PEM) of the authority to trust instead of public ones.',
    isFixed: true,
  }),
  database: Type.Unsafe<string | number>({
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
    params: {
      ...(clusterMode ? { clusterMode, moreNodes } : {}),
      ...(secure && skipVerify ? { skipVerify } : {}),
      ...(secure && caCertificate !== '' ? { caCertificate } : {}),
    },
    body: { commands },
  })
}
