// A picture with smooth edges by way of a multisampled target; dear in software, so only for pictures that stay.
import { Camera, Mesh, NearestFilter, PlaneGeometry, Scene, ShaderMaterial, Vector2, WebGLRenderTarget } from "three";

const vertex = `varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`;
const fragment = `uniform sampler2D picture; varying vec2 at; void main() { gl_FragColor = texture2D(picture, at); }`;

export class Smooth {
  target = new WebGLRenderTarget(1, 1, { samples: 4, minFilter: NearestFilter, magFilter: NearestFilter });
  scene = new Scene();
  camera = new Camera();
  size = new Vector2();

  constructor(renderer) {
    this.renderer = renderer;
    const material = new ShaderMaterial({ uniforms: { picture: { value: this.target.texture } }, vertexShader: vertex, fragmentShader: fragment, depthTest: false, depthWrite: false });
    const sheet = new Mesh(new PlaneGeometry(2, 2), material);
    sheet.frustumCulled = false;
    this.scene.add(sheet);
  }

  render(scene, camera) {
    const { renderer, target, size } = this;
    renderer.getDrawingBufferSize(size);
    if (target.width !== size.x || target.height !== size.y) target.setSize(size.x, size.y);
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    renderer.render(this.scene, this.camera);
  }
}
