/** The package has no types of its own. */
declare module '#inlined/lodash-camel-case' {
  export default function camelCase(text: string): string
}
