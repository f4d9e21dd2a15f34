import * as products from './generated/products.ts'
import type { DestinationDefinition } from './kit/define/define-destination.ts'

/** All destinations that come with Sluice, in the order of their names in code. */
export const builtInDestinations: readonly DestinationDefinition[] = Object.values(products)
