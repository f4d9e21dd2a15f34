/** The text of a configuration for vitest that loads our packages unchanged, as it does for users, who have them in node_modules. */
export const asInstalled =
  'export default { test: { server: { deps: { external: [/\\/packages\\/[a-z]+\\/dist\\//] } } } }\n'
