import { type DestinationRegistry, publicDefinition } from '@sluice/destinations'
import { Hono } from 'hono'

/** `GET /destination-definitions`: what can be set at each destination type. Open to all. Source: interface spec 4.3. */
export function createDefinitionsArea(destinations: DestinationRegistry): Hono {
  return new Hono().get('/destination-definitions', (c) => c.json(destinations.list().map(publicDefinition)))
}
