/** The package declares its types for its own name alone. */
declare module '#inlined/handlebars' {
  import Handlebars from 'handlebars'
  export default Handlebars
}
