export { default } from '../../docs/layout.tsx';
