const masked = (items: string, more = ''): string => `import { maskEmail } from 'pii'

/** Passes orders only, and masks who bought. */
export function transformEvent(event) {
  if (event.event !== 'Order Completed') return null
  const { email, ...properties } = event.properties
  const items = ${items}
  return { ...event, properties: { ...properties, email: maskEmail(email), items${more} } }
}
`
const sum = 'reduce((sum, product) => sum + product.quantity, 0)'

const maskOrders = {
  first: masked(`(event.properties.products ?? []).${sum}`),
  /** Throws for orders without products. */
  broken: masked(`event.properties.products.${sum}`, ', is_large: event.properties.total >= 100'),
  mended: masked(`(event.properties.products ?? []).${sum}`, ', is_large: Number(event.properties.total) >= 100'),
}

const onlyBuyers = `/** The CRM gets people who gave an address, and their orders. */
export function transformEvent(event) {
  if (event.type === 'identify') return event.traits.email ? event : null
  if (event.event !== 'Order Completed') return null
  return { ...event, context: { ...event.context, traits: { email: event.properties.email } } }
}
`

const pii = `/** ada@mail.test becomes a…@mail.test. */
export function maskEmail(email) {
  return typeof email === 'string' ? email.replace(/^(.)[^@]*/, '$1…') : email
}
`

/** The code of the demonstration: a transformation with its versions in order, another one, and their library. */
export const demoCode = { maskOrders, onlyBuyers, pii } as const
