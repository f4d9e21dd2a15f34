export { builtInDestinations } from './built-in-destinations.ts'
export * from './exports-without-definitions.ts'
export * from './generated/products.ts'
export { destinationReadme } from './readme/destination-readme.ts'
