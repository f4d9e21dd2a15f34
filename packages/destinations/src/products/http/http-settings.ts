import { Type } from 'typebox'
import { eventFilterSettings, field, webAddress } from '../../kit/index.ts'

const text = (title: string, description: string) => field.text({ title, description })

const member = (description: string) => Type.Optional(Type.String({ description }))

const entries = (title: string, description: string) =>
  field.list(
    Type.Object({
      to: member('A path ($.user.name) or a name.'),
      from: member("A path ($.userId) or a string in quotes ('a')."),
    }),
    { title, maxItems: 500, description, allowed: 'a list of at most 500 objects with to and from' },
  )

/** The settings of the HTTP destination. Source: RudderStack docs, HTTP Webhook destination. */
export const httpSettings = Type.Object({
  apiUrl: field.requiredText({ title: 'Address', ...webAddress, description: 'Address of each request.' }),
  auth: field.choiceOf(
    {
      noAuth: 'None',
      basicAuth: 'User name and password',
      bearerTokenAuth: 'Bearer token',
      apiKeyAuth: 'API key in a header',
    },
    { title: 'Authentication', default: 'noAuth', description: 'Authentication of requests.' },
  ),
  username: text('User name', 'User name, with basicAuth.'),
  password: text('Password', 'Password, with basicAuth.'),
  bearerToken: text('Bearer token', 'Token, with bearerTokenAuth.'),
  apiKeyName: text('Name of the API key header', 'Name of the header, with apiKeyAuth.'),
  apiKeyValue: text('API key', 'Value of the header, with apiKeyAuth.'),
  xmlRootKey: field.text({
    title: 'Root element',
    default: 'root',
    description: 'Name of the root element, with format XML.',
  }),
  method: field.choiceOf(
    { POST: 'POST', PUT: 'PUT', PATCH: 'PATCH', GET: 'GET', DELETE: 'DELETE' },
    { title: 'Method', default: 'POST', description: 'HTTP method of each request.' },
  ),
  format: field.choiceOf(
    { JSON: 'JSON', XML: 'XML', FORM: 'FORM' },
    { title: 'Format', default: 'JSON', description: 'Format of the body.' },
  ),
  propertiesMapping: entries('Body', 'Members of the body. They are not masked, so they must not contain secrets.'),
  queryParams: entries('Query parameters', 'Query parameters of the address.'),
  headers: entries('Headers', 'Headers of each request.'),
  pathParams: field.list(Type.Object({ path: member("A path ($.userId), a string in quotes ('a'), or a word.") }), {
    title: 'Path segments',
    description: 'Segments that are appended to the address.',
  }),
  isBatchingEnabled: field.flag({ title: 'Batches', description: 'Sends several events as one JSON list.' }),
  maxBatchSize: Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9]\\d{0,8}$' })], {
    title: 'Largest batch',
    default: 100,
    description: 'Maximum of events in a request, with isBatchingEnabled.',
    allowed: 'a whole number of at least 1',
  }),
  ...eventFilterSettings,
  isDefaultMapping: field.flag({ title: 'Send the whole event', description: 'Sends the whole event as the body.' }),
})
