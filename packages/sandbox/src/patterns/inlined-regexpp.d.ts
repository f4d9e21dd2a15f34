/** The package declares its types for its own name alone. */
declare module '#inlined/regexpp' {
  export * from '@eslint-community/regexpp'
}
