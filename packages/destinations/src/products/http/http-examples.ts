import {
  configurationError,
  type DestinationExample,
  form,
  instrumentationError,
  json,
  query,
  xml,
} from '../../kit/index.ts'

const order = {
  type: 'track',
  event: 'Order Placed',
  userId: 'u/1',
  properties: { products: [{ sku: 'a', price: 2 }, { sku: 'b' }] },
}
const products = [
  { from: '$.properties.products[*].sku', to: '$.items[*].id' },
  { from: '$.properties.products[*].price', to: '$.items[*].cost' },
]

/** The examples of the HTTP destination. */
export const httpExamples: readonly DestinationExample[] = [
  {
    title: 'the body is built from paths, element by element',
    event: order,
    settings: {
      apiUrl: 'https://api.test/orders',
      auth: 'bearerTokenAuth',
      bearerToken: 'token',
      propertiesMapping: [{ from: '$.event', to: '$.what.name' }, { from: "'web'", to: 'origin' }, ...products],
    },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.test/orders',
        headers: { Authorization: 'Bearer token', 'Content-Type': 'application/json' },
        body: { what: { name: 'Order Placed' }, origin: 'web', items: [{ id: 'a', cost: 2 }, { id: 'b' }] },
      }),
    ],
  },
  {
    title: 'the address gets encoded segments and parameters',
    event: order,
    settings: {
      apiUrl: 'https://api.test/users/',
      method: 'GET',
      auth: 'apiKeyAuth',
      apiKeyName: 'X-Key',
      apiKeyValue: 'key',
      pathParams: [{ path: '$.userId' }, { path: 'orders' }],
      queryParams: [{ from: '$.properties.products[0].price', to: 'price' }],
      headers: [{ from: "$.traits.lang || 'en'", to: "$.'Accept-Language'" }],
    },
    requests: [
      query({
        method: 'GET',
        endpoint: 'https://api.test/users/u%2F1/orders',
        headers: { 'X-Key': 'key', 'Accept-Language': 'en', 'Content-Type': 'application/json' },
        params: { price: 2 },
      }),
    ],
  },
  {
    title: 'the body can be XML',
    event: order,
    settings: { apiUrl: 'https://api.test', format: 'XML', xmlRootKey: 'order', propertiesMapping: products },
    requests: [
      xml({
        method: 'POST',
        endpoint: 'https://api.test',
        headers: { 'Content-Type': 'application/xml' },
        body: '<?xml version="1.0" encoding="UTF-8"?><order><items><id>a</id><cost>2</cost></items><items><id>b</id></items></order>',
      }),
    ],
  },
  {
    title: 'the body can be a form; nested values become fields with JSON',
    event: { type: 'identify', userId: 'u1' },
    settings: {
      apiUrl: 'https://api.test',
      format: 'FORM',
      auth: 'basicAuth',
      username: 'u',
      propertiesMapping: [{ from: '$.userId', to: '$.user.id' }],
    },
    requests: [
      form({
        method: 'POST',
        endpoint: 'https://api.test',
        headers: { Authorization: 'Basic dTo=', 'Content-Type': 'application/x-www-form-urlencoded' },
        body: { user: '{"id":"u1"}' },
      }),
    ],
  },
  {
    title: 'GET and DELETE send the body that is mapped',
    event: { type: 'page', userId: 'u1' },
    settings: { apiUrl: 'https://api.test', method: 'DELETE', isDefaultMapping: true },
    requests: [
      json({
        method: 'DELETE',
        endpoint: 'https://api.test',
        headers: { 'Content-Type': 'application/json' },
        body: { type: 'page', userId: 'u1' },
      }),
    ],
  },
  {
    title: 'constants in headers are text, whatever they look like',
    event: { type: 'page', userId: 'u1' },
    settings: { apiUrl: 'https://api.test', headers: [{ from: '2.0', to: 'X-Version' }] },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.test',
        headers: { 'X-Version': '2.0', 'Content-Type': 'application/json' },
        body: {},
      }),
    ],
  },
  {
    title: 'a header whose value in the event is not text fails the event',
    event: { type: 'page', context: { ip: '203.0.113.7' } },
    settings: { apiUrl: 'https://api.test', headers: [{ from: '$.context', to: 'X-Context' }] },
    error: instrumentationError('the header X-Context is not text in the event, but object'),
  },
  {
    title: 'segments are inserted before the query of the address',
    event: { type: 'page', userId: 'u1' },
    settings: { apiUrl: 'https://api.test/users/?team=a', method: 'DELETE', pathParams: [{ path: '$.userId' }] },
    requests: [
      query({
        method: 'DELETE',
        endpoint: 'https://api.test/users/u1?team=a',
        headers: { 'Content-Type': 'application/json' },
      }),
    ],
  },
  {
    title: 'a segment without a value fails the event',
    event: { type: 'page' },
    settings: { apiUrl: 'https://api.test', pathParams: [{ path: '$.userId' }] },
    error: configurationError('a path parameter has no value in the event'),
  },
  {
    title: 'settings are never run as code',
    event: order,
    settings: { apiUrl: 'https://api.test', headers: [{ from: 'process.env', to: 'X-Env' }] },
    error: configurationError(
      'Error in custom mappings: the value of a header is neither a path ($.…) nor a string in quotes',
    ),
  },
]
