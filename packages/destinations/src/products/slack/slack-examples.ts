import { configurationError, type DestinationExample, form } from '../../kit/index.ts'

const post = (payload: object, endpoint: string) =>
  form({
    method: 'POST',
    endpoint,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: { payload: JSON.stringify(payload) },
    userId: 'u1',
  })
const sender = { username: 'RudderStack', icon_url: 'https://cdn.rudderlabs.com/rudderstack.png' }
const request = (content: { readonly channel?: string; readonly text: string }) =>
  post({ ...content, ...sender }, 'https://hooks.test/all')

const order = {
  type: 'track',
  event: 'Order Placed',
  userId: 'u1',
  context: { traits: { firstName: 'Ada', lastName: 'Byron' } },
  properties: { total: 9 },
}

/** The examples of the Slack destination. */
export const slackExamples: readonly DestinationExample[] = [
  {
    title: 'identify posts the user with the allowed traits',
    event: { type: 'identify', userId: 'u1', traits: { name: 'Ada', plan: 'pro', email: 'ada@shop.test' } },
    settings: {
      webhookUrl: 'https://hooks.test/all',
      identifyTemplate: 'Hello {{name}}{{newline}}{{traits}}',
      whitelistedTraitsSettings: [{ trait: 'plan' }],
    },
    requests: [request({ text: 'Hello Ada\nplan: pro ' })],
  },
  {
    title: 'track posts the event to its channel',
    event: order,
    settings: {
      webhookUrl: 'https://hooks.test/all',
      eventChannelSettings: [{ eventName: '^Order', eventRegex: true, eventChannel: '#orders' }],
      eventTemplateSettings: [{ eventName: 'Order Placed', eventTemplate: '{{name}} paid {{properties.total}}' }],
    },
    requests: [request({ channel: '#orders', text: 'Ada Byron paid 9' })],
  },
  {
    title: 'with modern webhooks, each channel has its own webhook',
    event: order,
    settings: {
      webhookUrl: 'https://hooks.test/all',
      incomingWebhooksType: 'modern',
      eventChannelSettings: [{ eventName: 'Order Placed', eventChannelWebhook: 'https://hooks.test/orders' }],
    },
    requests: [post({ text: 'Ada Byron did Order Placed' }, 'https://hooks.test/orders')],
  },
  {
    title: 'templates read properties and traits by name, and print all of them',
    event: {
      ...order,
      context: { traits: { name: 'Ada', plan: 'pro' } },
      properties: { name: 'Mug', sizes: ['s', 'm'], box: { kg: 1 } },
    },
    settings: {
      webhookUrl: 'https://hooks.test/all',
      eventTemplateSettings: [
        {
          eventName: 'Order Placed',
          eventTemplate: '{{traitsList.name}} ({{traits}}) bought {{name}} {{sizes.[0]}}: {{{propertiesList}}}',
        },
      ],
    },
    requests: [request({ text: 'Ada (name: Ada plan: pro ) bought Mug s: name: Mug sizes: s,m box: {"kg":1} ' })],
  },
  {
    title: 'without a list of traits, all are shown',
    event: { type: 'identify', userId: 'u1', context: { traits: { email: 'ada@shop.test', plan: 'pro' } } },
    settings: { webhookUrl: 'https://hooks.test/all' },
    requests: [request({ text: 'Identified ada@shop.testemail: ada@shop.test plan: pro ' })],
  },
  {
    title: 'events on the deny list fail',
    event: order,
    settings: { webhookUrl: 'https://hooks.test/all', denyListOfEvents: [{ eventName: 'Order Placed' }] },
    error: configurationError('The event Order Placed is on the deny list'),
  },
]
