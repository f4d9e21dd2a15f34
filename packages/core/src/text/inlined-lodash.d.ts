/** The package has no types of its own. */
declare module '#inlined/lodash-camel-case' {
  const camelCase: (text: string) => string

  export { camelCase as default }
}
