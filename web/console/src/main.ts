import '../../kit/tokens.css';
import '../../kit/base.css';
import './console.css';
import { renderConsole } from './app.tsx';
import { reloadOnNewBuild } from './reload-on-new-build.ts';

reloadOnNewBuild();
renderConsole();
