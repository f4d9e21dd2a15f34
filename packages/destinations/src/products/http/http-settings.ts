import { Type } from 'typebox'
import { eventFilterSettings, webAddress } from '../../kit/index.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

const entries = (description: string) =>
  Type.Array(
    Type.Object({
      to: text('A path ($.user.name) or a name.'),
      from: text("A path ($.userId) or a string in quotes ('a')."),
    }),
    { default: [], maxItems: 500, description, allowed: 'a list of at most 500 objects with to and from' },
  )

/** The settings of the HTTP destination. Source: RudderStack docs, HTTP Webhook destination. */
export const httpSettings = Type.Object({
  apiUrl: Type.String({
    ...webAddress,
    description: 'Address of each request.',
  }),
  auth: Type.Enum(['noAuth', 'basicAuth', 'bearerTokenAuth', 'apiKeyAuth'], {
    choices: {
      noAuth: 'None',
      basicAuth: 'User name and password',
      bearerTokenAuth: 'Bearer token',
      apiKeyAuth: 'API key in a header',
    },
    default: 'noAuth',
    description: 'Authentication of requests.',
  }),
  username: text('User name, with basicAuth.'),
  password: text('Password, with basicAuth.'),
  bearerToken: text('Token, with bearerTokenAuth.'),
  apiKeyName: text('Name of the header, with apiKeyAuth.'),
  apiKeyValue: text('Value of the header, with apiKeyAuth.'),
  xmlRootKey: Type.String({ default: 'root', description: 'Name of the root element, with format XML.' }),
  method: Type.Enum(['POST', 'PUT', 'PATCH', 'GET', 'DELETE'], {
    default: 'POST',
    description: 'HTTP method of each request.',
  }),
  format: Type.Enum(['JSON', 'XML', 'FORM'], { default: 'JSON', description: 'Format of the body.' }),
  propertiesMapping: entries('Members of the body. They are not masked, so they must not contain secrets.'),
  queryParams: entries('Query parameters of the address.'),
  headers: entries('Headers of each request.'),
  pathParams: Type.Array(Type.Object({ path: text("A path ($.userId), a string in quotes ('a'), or a word.") }), {
    default: [],
    description: 'Segments that are appended to the address.',
  }),
  isBatchingEnabled: Type.Boolean({ default: false, description: 'Sends several events as one JSON list.' }),
  maxBatchSize: Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9]\\d{0,8}$' })], {
    default: 100,
    description: 'Maximum of events in a request, with isBatchingEnabled.',
    allowed: 'a whole number of at least 1',
  }),
  ...eventFilterSettings,
  isDefaultMapping: Type.Boolean({ default: false, description: 'Sends the whole event as the body.' }),
})
