import { defineDestination, field, generic, isMappingError, json, mapping, to } from '@sluice/destinations'
import { Type } from 'typebox'
import { examples } from './my-product-examples.js'

const message = mapping([
  to('user').from('userId', 'anonymousId').required(), // the first non-blank value
  to('email').from(generic.email),
  to('name').from('event').required(),
  to('properties').from('properties'),
])

export const myProductDestination = defineDestination({
  type: 'MY_PRODUCT',
  displayName: 'My product',
  supports: ['track'],
  settings: Type.Object({
    url: field.requiredText({
      title: 'Address',
      description: 'Address that receives the events.',
      pattern: '^https?://',
      allowed: 'an http or https address',
      placeholder: 'https://api.my-product.test',
    }),
    token: field.requiredText({ title: 'Token', description: 'Token that permits sending.', allowed: 'a token' }),
  }),
  secrets: ['token'],
  mappings: { message }, // users can change them with the setting overrides
  requests(event, settings) {
    const body = message(event, settings)
    if (isMappingError(body)) return body
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${settings.token}` }
    return json({ method: 'POST', endpoint: `${settings.url}/events`, headers, body })
  },
  examples,
})

export default myProductDestination
