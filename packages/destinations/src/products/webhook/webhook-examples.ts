import { type DestinationExample, instrumentationError, json, query } from '../../kit/index.ts'

const order = {
  type: 'track',
  event: 'Order Placed',
  anonymousId: 'a1',
  properties: { total: 9, items: [{ sku: 'x' }] },
}

/** The examples of the webhook destination. */
export const webhookExamples: readonly DestinationExample[] = [
  {
    title: 'a track event becomes one request whose JSON body is the event',
    event: order,
    settings: {
      webhookUrl: 'https://hook.test/in',
      webhookMethod: 'PUT',
      headers: [{ from: 'X-Team', to: 'growth' }],
    },
    requests: [
      json({
        method: 'PUT',
        endpoint: 'https://hook.test/in',
        headers: { 'content-type': 'application/json', 'x-team': 'growth' },
        body: order,
        userId: 'a1',
      }),
    ],
  },
  {
    title: 'with only an address in the settings, the event is sent with POST',
    event: { type: 'identify', userId: 'u1' },
    settings: { webhookUrl: 'https://hook.test/in' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://hook.test/in',
        headers: { 'content-type': 'application/json' },
        body: { type: 'identify', userId: 'u1' },
      }),
    ],
  },
  {
    title: 'GET sends the properties as parameters, without a body',
    event: order,
    settings: { webhookUrl: 'https://hook.test/in', webhookMethod: 'GET' },
    requests: [
      query({
        method: 'GET',
        endpoint: 'https://hook.test/in',
        params: { total: 9, 'items[0].sku': 'x' },
        userId: 'a1',
      }),
    ],
  },
  {
    title: 'GET sends the traits of an identify event as parameters',
    event: {
      type: 'identify',
      userId: 'u1',
      traits: { plan: 'pro', company: { id: 7 } },
      context: { traits: { plan: 'free', age: 34 } },
    },
    settings: { webhookUrl: 'https://hook.test/in', webhookMethod: 'GET' },
    requests: [query({ method: 'GET', endpoint: 'https://hook.test/in', params: { plan: 'pro', 'company.id': 7 } })],
  },
  {
    title: 'DELETE sends the traits of the context if an identify event has none',
    event: { type: 'identify', userId: 'u1', context: { traits: { plan: 'free' } } },
    settings: { webhookUrl: 'https://hook.test/in', webhookMethod: 'DELETE' },
    requests: [query({ method: 'DELETE', endpoint: 'https://hook.test/in', params: { plan: 'free' } })],
  },
  {
    title: 'events of any type are sent unchanged',
    event: { type: 'Telemetry', event: 'Probe Read' },
    settings: { webhookUrl: 'https://hook.test/in' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://hook.test/in',
        headers: { 'content-type': 'application/json' },
        body: { type: 'Telemetry', event: 'Probe Read' },
      }),
    ],
  },
  {
    title: 'an event can add headers and, if allowed, extend the address; both members are removed from the body',
    event: {
      type: 'track',
      event: 'Seen',
      appendPath: '/seen?b=1',
      header: { 'X-Team': 'core', 'Content-Type': 'application/vnd.seen+json', 'X-Count': 2, Host: 'other.test' },
    },
    settings: {
      webhookUrl: 'https://hook.test/in?a=1',
      headers: [
        { from: 'X-Team', to: 'growth' },
        { from: 'X-Key', to: 'key' },
      ],
      allowEventAddress: true,
    },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://hook.test/in/seen?a=1&b=1',
        headers: { 'content-type': 'application/vnd.seen+json', 'x-team': 'core', 'x-key': 'key', 'x-count': '2' },
        body: { type: 'track', event: 'Seen' },
      }),
    ],
  },
  {
    title: 'another origin does not get the headers of the settings',
    event: { type: 'track', event: 'Seen', fullPath: 'https://other.test/a', header: { 'X-Count': 2 } },
    settings: {
      webhookUrl: 'https://hook.test/in',
      headers: [{ from: 'X-Key', to: 'key' }],
      allowEventAddress: true,
    },
    requests: [
      {
        ...json({
          method: 'POST',
          endpoint: 'https://other.test/a',
          headers: { 'content-type': 'application/json', 'x-count': '2' },
          body: { type: 'track', event: 'Seen' },
        }),
        withheld: ['x-key'],
      },
    ],
  },
  {
    title: 'the address of the sender is used as context.ip if that is missing',
    event: { type: 'page', request_ip: '203.0.113.7', context: { locale: 'en' } },
    settings: { webhookUrl: 'https://hook.test/in' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://hook.test/in',
        headers: { 'content-type': 'application/json' },
        body: { type: 'page', request_ip: '203.0.113.7', context: { locale: 'en', ip: '203.0.113.7' } },
      }),
    ],
  },
  {
    title: 'a trusted origin gets the headers of the settings',
    event: { type: 'track', event: 'Seen', fullPath: 'https://other.test/a' },
    settings: {
      webhookUrl: 'https://hook.test/in',
      headers: [{ from: 'X-Key', to: 'key' }],
      allowEventAddress: true,
      trustedOrigins: ['https://other.test'],
    },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://other.test/a',
        headers: { 'content-type': 'application/json', 'x-key': 'key' },
        body: { type: 'track', event: 'Seen' },
      }),
    ],
  },
  {
    title: 'an event that chooses its address fails unless that is allowed',
    event: { type: 'page', fullPath: 'https://other.test/a' },
    settings: { webhookUrl: 'https://hook.test' },
    error: instrumentationError('The event chooses its address by fullPath; set allowEventAddress to allow that'),
  },
]
